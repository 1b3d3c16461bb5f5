/** The files that are being opened, the first begun first, because opening one can end the process. */
export class OpeningFiles {
  #paths: readonly string[] = [];

  /** `onChange` is called whenever the opening of a file begins or ends. */
  constructor(private readonly onChange: (paths: readonly string[]) => void) {}

  /** Runs work that opens a file. */
  async during<A>(path: string, work: () => Promise<A>): Promise<A> {
    this.#set([...this.#paths, path]);
    try {
      return await work();
    } finally {
      const at = this.#paths.indexOf(path);
      this.#set(this.#paths.filter((_, index) => index !== at));
    }
  }

  #set(paths: readonly string[]): void {
    this.#paths = paths;
    this.onChange(paths);
  }
}
