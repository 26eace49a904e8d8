/** A component that is drawn again only when one of its properties is another one. */

import { Component, h, type ComponentChild, type FunctionComponent } from "preact";

export function memo<P extends object>(inner: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Readonly<P>;
      return (Object.keys(next) as (keyof P)[]).some((key) => next[key] !== before[key]);
    }
    override render() {
      return h(inner as FunctionComponent<P>, this.props as P);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
