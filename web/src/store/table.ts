/**
 * An immutable table by id. It owns cheap copies: changing one entry of a hundred thousand copies
 * one small bucket, so that every state of the room can be kept apart from the next one. It refuses
 * to know what it holds.
 */

const BUCKETS = 1024;

function bucketOf(id: string): number {
  // Ids differ in their last characters; the prefix says only the kind.
  let hash = 0;
  for (let i = Math.max(0, id.length - 12); i < id.length; i += 1) hash = (hash * 31 + id.charCodeAt(i)) | 0;
  return (hash >>> 0) % BUCKETS;
}

export class Table<V> {
  private constructor(
    private readonly buckets: readonly (ReadonlyMap<string, V> | undefined)[],
    readonly size: number,
  ) {}

  static empty<V>(): Table<V> {
    return new Table<V>([], 0);
  }

  get(id: string): V | undefined {
    return this.buckets[bucketOf(id)]?.get(id);
  }

  has(id: string): boolean {
    return this.buckets[bucketOf(id)]?.has(id) ?? false;
  }

  /** The table with `value` at `id`; itself when that is what it holds already. */
  with(id: string, value: V): Table<V> {
    const at = bucketOf(id);
    const bucket = this.buckets[at];
    const known = bucket?.has(id) ?? false;
    if (known && bucket?.get(id) === value) return this;
    const buckets = this.buckets.slice();
    buckets[at] = new Map(bucket ?? []).set(id, value);
    return new Table(buckets, known ? this.size : this.size + 1);
  }

  /** Every entry, in no promised order. */
  *entries(): Generator<readonly [string, V]> {
    for (const bucket of this.buckets) if (bucket) yield* bucket;
  }
}
