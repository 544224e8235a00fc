/** Results of calls, by the media types of the responses with success. */

import type { Node, Source } from "../../read/source.ts";
import { isPlainJson, type Media, type MediaKind, mediaOf, preferred } from "../../read/media.ts";
import { reportLinks } from "../../read/operations.ts";
import type { MethodResult, MethodStream } from "../../model/mod.ts";
import type { TypePlanner } from "../types/mod.ts";
import { planStream } from "./streams.ts";
import { keyword, nullType, unionOf, unknownType } from "../../algebra/types.ts";

/** The results of an operation: what it returns, and the stream that a caller can choose instead. */
export interface PlannedResult {
  readonly result: MethodResult;
  readonly stream?: MethodStream | undefined;
}

/** Plans the result of an operation by its responses with success. */
export function planResult(
  source: Source,
  types: TypePlanner,
  responses: readonly (readonly [status: string, response: Node])[],
  verb: string,
): PlannedResult {
  for (const [, response] of responses) reportLinks(source, response);
  let successes = responses.filter(([status]) => /^2/.test(status));
  const redirects = responses.some(([status]) => /^3(?!04)/.test(status));
  if (successes.length === 0 && redirects) {
    return { result: { kind: "redirect", type: unknownType } };
  }
  if (successes.length === 0) successes = responses.filter(([status]) => status === "DEFAULT");
  if (verb === "HEAD") return { result: { kind: "response", type: unknownType } };

  const contents = successes.map(([status, response]) => ({
    status,
    all: mediaOf(source, response),
  }));
  const media = contents.flatMap(({ all }) => all);
  const streamed = preferredStream(media);
  const stream = streamed && planStream(source, types, streamed);
  const hasOthers = media.some(({ kind }) => kind !== "stream");
  if (stream !== undefined && !hasOthers) {
    return { result: { kind: "stream", type: unknownType }, stream };
  }
  return {
    result: mixedResult(types, contents) ??
      bodyResult(source, types, contents.map(({ all }) => all)),
    stream,
  };
}

/**
 * Returns responses of which one success has a body: that with the lowest status. SDKs with resources
 * have its type only.
 */
export function withOneBody(
  source: Source,
  responses: readonly (readonly [status: string, response: Node])[],
): (readonly [status: string, response: Node])[] {
  const bodies = responses.filter(([status, response]) =>
    /^2/.test(status) && mediaOf(source, response).length > 0
  ).map(([status]) => status).sort();
  return responses.filter(([status]) => !bodies.slice(1).includes(status));
}

/** Returns the first stream of events, or else the first of lines. */
function preferredStream(all: readonly Media[]): Media | undefined {
  const streams = all.filter(({ kind }) => kind === "stream");
  return streams.find(({ type }) => type === "text/event-stream") ?? streams[0];
}

/** The media types of the responses with a status. */
interface Content {
  readonly status: string;
  readonly all: readonly Media[];
}

/** The kinds of results of which a status can have one, and another status another one. */
const mixedKinds: readonly MediaKind[] = ["json", "text", "xml", "bytes"];

/** Plans a result whose statuses have bodies of several kinds; undefined if all have one kind. */
function mixedResult(types: TypePlanner, contents: readonly Content[]): MethodResult | undefined {
  const first = preferred(contents.flatMap(({ all }) => all), mixedKinds);
  const chosen = contents.flatMap(({ status, all }) => {
    const media = preferred(
      all,
      first === undefined ? mixedKinds : [first.kind, ...mixedKinds],
      first?.sent,
    );
    return media === undefined ? [] : [{ status, all, media, kind: readKind(media) }];
  });
  if (new Set(chosen.map(({ kind }) => kind)).size < 2) return undefined;
  const json = chosen.filter(({ kind }) => kind === "json").map(({ media: { schema } }) =>
    schema === undefined ? unknownType : types.typeOf(schema, "response")
  );
  const others = chosen.flatMap(({ kind }) =>
    kind === "text" ? [keyword("string")] : kind === "bytes" ? [keyword("bytes")] : []
  );
  const isEmpty = contents.some(({ all }) => all.length === 0);
  const decoded = unionOf(json);
  const kinds: Record<number, "json" | "text" | "bytes"> = {};
  for (const { status, all, kind } of chosen) {
    // If a status has several kinds of those that are asked for, the content type tells.
    const asked = all.filter((each) => chosen.some(({ media }) => media.sent === each.sent));
    if (/^\d+$/.test(status) && asked.every((each) => readKind(each) === kind)) {
      kinds[Number(status)] = kind;
    }
  }
  return {
    kind: "json",
    type: unionOf([...json, ...others, ...isEmpty ? [nullType] : []]),
    conversion: types.conversionOf(decoded) && types.explicitConversionOf(decoded),
    kinds,
    accept: [...new Set(chosen.map(({ media }) => media.sent))].join(", "),
  };
}

/** Returns the kind as which the toolkit reads a body by its status. */
function readKind({ kind }: Media): "json" | "text" | "bytes" {
  return kind === "json" ? "json" : kind === "text" || kind === "xml" ? "text" : "bytes";
}

/** Plans a result that is read as a whole. */
function bodyResult(
  source: Source,
  types: TypePlanner,
  contents: readonly (readonly Media[])[],
): MethodResult {
  const all = contents.flat();
  const order: readonly MediaKind[] = ["json", "text", "xml", "bytes", "stream", "form"];
  const media = preferred(all, order);
  if (media === undefined) return { kind: "void", type: unknownType };
  const others = all.some(({ kind }) => kind !== media.kind);
  switch (media.kind) {
    case "json": {
      // A status with nothing but a stream is the other result.
      const whole = contents.filter((each) =>
        each.length === 0 || each.some(({ kind }) => kind !== "stream")
      );
      const bodies = whole.map((each) => {
        const schema = preferred(each, ["json"], media.sent)?.schema;
        if (each.length === 0) return nullType;
        return schema === undefined ? keyword("unknown") : types.typeOf(schema, "response");
      });
      const accept = isPlainJson(media) ? undefined : media.sent;
      const type = unionOf(bodies);
      return { kind: "json", type, conversion: types.conversionOf(type), accept };
    }
    case "xml": {
      const { schema, sent: accept } = media;
      if (schema === undefined || types.modelOf(schema) === undefined) {
        return { kind: "text", type: keyword("string"), accept };
      }
      const type = types.typeOf(schema, "response");
      return { kind: "json", type, conversion: types.conversionOf(type), accept };
    }
    case "text":
      return { kind: "text", type: keyword("string"), accept: media.sent };
    case "stream": {
      const { node } = media;
      source.problem(
        node,
        "unsupported",
        `${media.type} is not read yet`,
        "the response is returned",
      );
      return { kind: "response", type: unknownType, accept: media.sent };
    }
    default: {
      const accept = others || !media.type.includes("*") ? media.sent : undefined;
      return { kind: "bytes", type: keyword("bytes"), accept };
    }
  }
}
