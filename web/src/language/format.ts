/** Numbers, times and names as a language writes them. */

/** How one language writes numbers and times; a time that is none is shown as it came. */
export interface Format {
  /** A count of tokens or characters in three or four signs: `12.4k`. */
  compact(n: number): string;
  count(n: number): string;
  percent(share: number): string;
  usd(amount: number): string;
  /** Bytes or characters, for people. */
  size(characters: number): string;
  time(iso: string): string;
  day(iso: string): string;
  full(iso: string): string;
}

/** Elapsed milliseconds as `0:42` or `1:02:03`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** The way of writing of a language tag, as `en-GB`. */
export function formatFor(code: string): Format {
  const compact = new Intl.NumberFormat(code, { notation: "compact", maximumFractionDigits: 1 });
  const count = new Intl.NumberFormat(code);
  const percent = new Intl.NumberFormat(code, { style: "percent", maximumFractionDigits: 0 });
  const usd = new Intl.NumberFormat(code, { style: "currency", currency: "USD", maximumFractionDigits: 4 });
  const time = new Intl.DateTimeFormat(code, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const day = new Intl.DateTimeFormat(code, {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  });
  const full = new Intl.DateTimeFormat(code, { dateStyle: "medium", timeStyle: "medium" });
  const dated = (format: Intl.DateTimeFormat, iso: string): string => {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? iso : format.format(date);
  };
  return {
    compact: (n) => compact.format(n),
    count: (n) => count.format(n),
    percent: (share) => percent.format(share),
    usd: (amount) => usd.format(amount),
    size: (characters) => (characters < 1000 ? count.format(characters) : `${compact.format(characters)}`),
    time: (iso) => dated(time, iso),
    day: (iso) => dated(day, iso),
    full: (iso) => dated(full, iso),
  };
}
