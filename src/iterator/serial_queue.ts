/** A queue that runs tasks one after the other, in the order in which they were added. */
export class SerialQueue {
  #last: Promise<void> | undefined;

  /**
   * Runs a task after all earlier tasks have settled, even if they failed.
   *
   * @param work The task
   * @returns The result of the task
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
      // The queue is empty: the next task can start without waiting.
      if (this.#last === turn) this.#last = undefined;
      leave();
    }
  }
}
