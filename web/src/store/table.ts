/**
 * An immutable table by id. It owns cheap copies: changing one entry of a hundred thousand copies
 * two short lists and one small bucket, so that every state of the room can be kept apart from the
 * next one. It refuses to know what it holds.
 */

/** Lists of lists of buckets; at a hundred thousand entries a bucket holds one or two. */
const WIDTH = 256;

type Bucket<V> = ReadonlyMap<string, V>;
type Shelf<V> = readonly (Bucket<V> | undefined)[];

function hashOf(id: string): number {
  let hash = 2166136261;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 16777619);
  // The lower bits of such a hash depend on each other.
  return (hash ^ (hash >>> 15)) >>> 0;
}

export class Table<V> {
  private constructor(
    private readonly shelves: readonly (Shelf<V> | undefined)[],
    readonly size: number,
  ) {}

  static empty<V>(): Table<V> {
    return new Table<V>([], 0);
  }

  get(id: string): V | undefined {
    const hash = hashOf(id);
    return this.shelves[hash % WIDTH]?.[(hash >>> 8) % WIDTH]?.get(id);
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** The table with `value` at `id`; itself when that is what it holds already. */
  with(id: string, value: V): Table<V> {
    const hash = hashOf(id);
    const shelf = this.shelves[hash % WIDTH] ?? [];
    const bucket = shelf[(hash >>> 8) % WIDTH];
    const known = bucket?.get(id);
    if (known === value) return this;
    const shelves = this.shelves.slice();
    const changed = shelf.slice();
    changed[(hash >>> 8) % WIDTH] = new Map(bucket ?? []).set(id, value);
    shelves[hash % WIDTH] = changed;
    return new Table(shelves, known === undefined ? this.size + 1 : this.size);
  }

  /** Every entry, in no promised order. */
  *entries(): Generator<readonly [string, V]> {
    for (const shelf of this.shelves) for (const bucket of shelf ?? []) if (bucket) yield* bucket;
  }
}
