/** Processes that are started once, and do one task after the other: starting them takes most of the time. */
import { TestProcess } from "./child_process.ts";
import type { WorkerEvent, WorkerTask } from "./worker_task.ts";

/** A process that has a task. */
export type Worker = TestProcess<WorkerEvent>;

/** Processes for the tasks of a group of tests. */
export class WorkerPool {
  readonly #free: Worker[] = [];
  readonly #all = new Set<Worker>();

  /** Gives a task to a process that has none, or else to a new one. */
  begin(task: WorkerTask): Worker {
    const worker = this.#free.pop() ?? new TestProcess<WorkerEvent>("worker.ts");
    this.#all.add(worker);
    worker.events.length = 0;
    worker.tell(JSON.stringify(task));
    return worker;
  }

  /** Takes a process back. If its task is not at its end, as after a failed test, it is killed. */
  release(worker: Worker): void {
    if (worker.has("end")) this.#free.push(worker);
    else worker.signal("SIGKILL");
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    for (const each of this.#all) each.close();
    await Promise.all([...this.#all].map(({ ended }) => ended));
  }
}
