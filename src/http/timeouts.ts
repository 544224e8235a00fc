// What bounds calls and exchanges in time: loaded where one has a signal, a deadline or a timeout.

export { Cancellation } from "./cancellation.ts";
export { IdleTimeout } from "./idle_timeout.ts";
