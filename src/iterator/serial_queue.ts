/** Serves those who ask one after the other, in the order in which they asked. */
export class SerialQueue {
  #last: Promise<void> | undefined;

  /**
   * Does some work when all that was asked for before is done, whether it failed or not.
   *
   * @param work What to do
   */
  async take<R>(work: () => R | Promise<R>): Promise<R> {
    const before = this.#last;
    let leave!: () => void;
    const turn = new Promise<void>((resolve) => leave = resolve);
    this.#last = turn;
    try {
      if (before !== undefined) await before;
      return await work();
    } finally {
      // Nobody waits behind it: the next one begins at once.
      if (this.#last === turn) this.#last = undefined;
      leave();
    }
  }
}
