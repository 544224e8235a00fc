// Measures server-sent events per second: our stream of a response, and the parser that it uses,
// by hand around the same chunks. Both parse the JSON of each event.

import process from "node:process";
import { createParser } from "eventsource-parser";
import { APISession } from "../../mod.ts";
import { sse } from "../../src/streams/mod.ts";

const EVENTS = 5000;
const ROUNDS = 15;
const WARM_UP = 5;

const event = 'event: message\nid: 7\ndata: {"id":7,"name":"Ada"}\n\n';
const bytes = new TextEncoder().encode(event.repeat(EVENTS));
/** Chunks of the size that a network delivers. */
const chunks: readonly Uint8Array[] = Array.from(
  { length: Math.ceil(bytes.length / 16_384) },
  (_, index) => bytes.slice(index * 16_384, (index + 1) * 16_384),
);

function body(): ReadableStream<Uint8Array> {
  let index = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[index++];
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

async function byHand(): Promise<number> {
  let count = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      JSON.parse(data);
      count++;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body()) {
    parser.feed(decoder.decode(chunk, { stream: true }));
  }
  return count;
}

const session = new APISession({
  url: "https://api.example.com",
  logger: null,
  adapter: () =>
    Promise.resolve(
      new Response(body(), {
        headers: { "content-type": "text/event-stream" },
      }),
    ),
});

async function ours(): Promise<number> {
  let count = 0;
  for await (const { data } of await session.get("events", { format: sse() })) {
    JSON.parse(data);
    count++;
  }
  return count;
}

const contenders = [
  {
    contender: "eventsource-parser by hand",
    run: byHand,
    times: [] as number[],
  },
  { contender: "restwright", run: ours, times: [] as number[] },
];
for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  for (const { contender, run, times } of contenders) {
    const start = performance.now();
    const count = await run();
    if (count !== EVENTS) {
      throw new Error(`${contender}: ${count} of ${EVENTS} events`);
    }
    if (round >= WARM_UP) {
      times.push((performance.now() - start) * 1e6 / EVENTS);
    }
  }
}
const medians = contenders.map(({ times }) => times.sort((a, b) => a - b)[ROUNDS >> 1]!);
for (const [index, { contender }] of contenders.entries()) {
  const ns = Math.round(medians[index]!);
  const ratio = Number((medians[index]! / medians[0]!).toFixed(2));
  process.stdout.write(
    `${JSON.stringify({ row: "server-sent event", contender, ns, ratio })}\n`,
  );
}
