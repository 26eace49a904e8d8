/** What a catalogue is: the English one's keys, each with words or a function that makes them. */

import type { en } from "./en";

type Said<T> = T extends (...args: infer A) => string ? (...args: A) => string : string;

export type Catalogue = { readonly [Key in keyof typeof en]: Said<(typeof en)[Key]> };
