declare module "commonmark-spec" {
  /** CommonMark's own examples. */
  const spec: {
    readonly tests: readonly {
      readonly number: number;
      readonly section: string;
      readonly markdown: string;
      readonly html: string;
    }[];
  };
  export default spec;
}
