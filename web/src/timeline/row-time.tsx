/** When something was said: the hour, and the whole date for who asks. */

import { useLanguage } from "../layout/context";

export function RowTime({ at }: { readonly at: string }) {
  const { format } = useLanguage();
  return (
    <time class="row-time" dateTime={at} title={format.full(at)}>
      {format.time(at)}
    </time>
  );
}
