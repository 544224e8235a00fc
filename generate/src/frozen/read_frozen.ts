/** Reads a frozen SDK: the sources that Stainless printed in TypeScript, in either of its layouts. */

import { ShapeError } from "../base/errors.ts";
import { findClient, readClient } from "./client.ts";
import { readExports } from "./exports.ts";
import { frozenText } from "./frozen_shape.ts";
import type { FrozenSdk, Handwritten, SdkFile } from "./frozen_sdk.ts";
import { readPages } from "./pages.ts";
import { declaredTypes, readMembers } from "./resources.ts";
import { Sources } from "./sources.ts";
import { loadParser } from "./syntax.ts";

/** The first line of files that the generator wrote. */
const GENERATED = /^\/\/ File generated from our OpenAPI spec by Stainless/;

/** Files that the generator copied as they are, without that line. */
const COPIED = new RegExp(
  "^src/(?:_shims/|_vendor/|core/uploads\\.|core/streaming\\.|internal/|shims/|core\\.ts|version\\.ts|" +
    "(?:api-promise|error|pagination|resource|resources|streaming|uploads)\\.ts)",
);

/**
 * Reads the sources of an SDK that Stainless made in TypeScript, for the option `sdk`. Nothing of it is
 * run, and neither disk nor network is touched.
 *
 * @param files Its files: `package.json`, and all sources in `src`
 * @param folder The name of its folder in messages
 * @returns A text of JSON, which can be kept in place of the sources
 * @throws {ShapeError} If it has no client of the generator
 */
export async function readSdk(files: readonly SdkFile[], folder?: string): Promise<string> {
  return frozenText(await readFrozen(files, folder));
}

/**
 * Reads a frozen SDK. Nothing of it is run.
 *
 * @param files Its files: `package.json`, and those in `src`
 * @param folder The name of its folder in messages
 * @throws {ShapeError} If it has no client of the generator
 */
export async function readFrozen(
  files: readonly SdkFile[],
  folder: string = "the SDK",
): Promise<FrozenSdk> {
  const parse = await loadParser();
  const sources = new Sources(new Map(files.map(({ file, text }) => [file, text])), parse);
  const client = findClient(sources);
  if (client === undefined) {
    const message =
      "must be the folder of an SDK in TypeScript that Stainless made, with a class " +
      "of its client in src/client.ts or src/index.ts";
    throw new ShapeError(folder, message);
  }
  const handwritten: Handwritten[] = [];
  const pages = readPages(sources, parse, handwritten);
  const read = readClient(sources, client, handwritten);
  const { source, classes } = client;
  const members = readMembers(sources, { source, classes, path: [] }, handwritten);
  if (members.resources.length === 0 && members.methods.length === 0) {
    throw new ShapeError(folder, `has no methods: the client in ${source.file} has no resources`);
  }
  const shared = sources.first("src/resources/shared.ts", "src/resources/shared/index.ts");
  const marked = files.filter(({ text }) => GENERATED.test(text)).length;
  // Without the mark in any file, it says nothing about the others.
  const own = marked === 0
    ? []
    : files.filter(({ file, text }) =>
      /^src\/.*\.ts$/.test(file) && !GENERATED.test(text) && !COPIED.test(file)
    );
  handwritten.push(...sources.broken.map((file): Handwritten => ({
    ...{ file, what: file, reason: "the file cannot be parsed" },
  })));
  handwritten.push(...own.map(({ file }): Handwritten => ({
    ...{ file, what: file },
    reason: "the file is not generated",
  })));
  return {
    layout: source.file === "src/client.ts" ? "new" : "old",
    client: read,
    ...members,
    sharedTypes: declaredTypes(shared),
    ...{ pages, exports: readExports(sources) },
    handwritten: handwritten.toSorted((a, b) =>
      a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1
    ),
  };
}
