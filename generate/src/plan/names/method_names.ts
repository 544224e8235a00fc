/** The names that a method could have: by its operationId, its HTTP method, its path and its result. */

import type { Operation } from "../../read/operations.ts";
import { camelCase, capitalized, singularOf, wordsOf } from "../../names/words.ts";

/** An operation, and what is known about its result. */
export interface NamedOperation {
  readonly operation: Operation;
  /** True if the result is a list, false if it is something else, undefined if it is not stated. */
  readonly isList: boolean | undefined;
}

/** A name that a method could have. */
export interface Wish {
  readonly name: string;
  /** True if the method is the one of its group that has the best right to the name. */
  readonly isSure: boolean;
}

/** The usual methods of a group, and the verbs of operationIds that mean the same. */
const verbs = {
  list: "list get fetch read retrieve find index",
  get: "get fetch read retrieve find show",
  create: "create add post new insert",
  update: "update patch put edit modify change",
  replace: "replace put update",
  delete: "delete remove destroy",
} as const;

type UsualName = keyof typeof verbs;

const synonyms = new Map(
  Object.entries(verbs).map(([name, texts]) => [name as UsualName, new Set(texts.split(" "))]),
);

/** Words that begin an operationId, and that no rule takes away. */
const anyVerb: ReadonlySet<string> = new Set(
  [...Object.values(verbs).flatMap((texts) => texts.split(" ")), "delete", "call"],
);

/** Words that stand between two others, of which neither may be missing. */
const links: ReadonlySet<string> = new Set(
  "a an and as at by for from in into of on or per the to via with within without".split(" "),
);

/** Words that say nothing in a name of a usual method: `getAllPets`, `getOnePet`. */
const fillers: ReadonlySet<string> = new Set("a all an one single the".split(" "));

/** Words of tags that no operationId repeats. */
const tagNoise =
  /^(?:api|apis|controller|endpoint|endpoints|management|operations?|resource|resources|rest|service|services)$/i;

/** Segments of paths that say nothing about the resource. */
const pathNoise = /^(?:api|apis|rest|services?)$/i;

/** Reports if a word or a segment is a version: `v3`, `V1beta1`, `2024-03-20`. */
export function isVersion(text: string): boolean {
  return /^v\d+(?:[._-]\d+)*(?:[._-]?(?:alpha|beta|preview|p)\d*)*$/i.test(text) ||
    /^(?:19|20)\d\d-\d\d(?:-\d\d)?(?:-preview)?$/.test(text) || /^\d+(?:\.\d+)+$/.test(text);
}

/** The operations of a group, and what their names have in common. */
export interface Group {
  /** The words of the group: those of its tag, or of the segment of the path. */
  readonly words: readonly string[];
  /** True if a tag names the group. */
  readonly isTagged: boolean;
  /** The path of the collection that the group is about, such as `/v1/pets`. */
  readonly root: string | undefined;
}

/** The words and paths that the operations of a whole document have in common. */
export interface DocumentWords {
  /** The words with which all operationIds begin. */
  readonly prefix: readonly string[];
  /** The segments with which all paths begin. */
  readonly segments: number;
  /** The words of tags and of paths, in their singular form. */
  readonly nouns: ReadonlySet<string>;
  /** The paths with their HTTP methods: `GET /pets/{}`. */
  readonly keys: ReadonlySet<string>;
}

/** Finds what the names of a document have in common. */
export function documentWords(operations: readonly NamedOperation[]): DocumentWords {
  const all = operations.map(({ operation }) => operation);
  const ids = all.flatMap(({ operationId }) => operationId === undefined ? [] : [operationId]);
  const words = ids.map((id) => wordsOf(id).map((word) => word.toLowerCase()));
  const paths = all.map(({ path }) => segmentsOf(path));
  // Two names can begin alike by accident, three hardly.
  const isMany = all.length >= 3 && ids.length === all.length;
  const prefix = isMany ? commonStart(words) : [];
  const nouns = new Set(
    [
      ...all.map(({ tag }) => tag ?? ""),
      ...paths.flat().filter((each) => !isParameter(each) && !isVersion(each)),
    ].flatMap((each) => wordsOf(each).map(singularOf)),
  );
  // `sendText` and `sendFile` begin with a verb, `harbour.ships.list` with a name.
  const isName = (word: string) =>
    !anyVerb.has(word) && (ids.some(isSpaced) || nouns.has(singularOf(word)));
  return {
    prefix: prefix.slice(0, prefix.findLastIndex(isName) + 1),
    segments: all.length >= 3 ? commonStart(paths).filter((each) => !isParameter(each)).length : 0,
    nouns,
    keys: new Set(all.map(({ verb, path }) => `${verb} ${keyOf(path)}`)),
  };
}

/** Reports if an operationId has a name before a verb: `ships.list`, `WebForms_sendText`. */
function isSpaced(id: string): boolean {
  return /[./:]/.test(id) || /_/.test(id) && /[A-Z]/.test(id);
}

/** Returns the segment of a path that names a group: the first that is neither a version nor noise. */
export function groupSegment({ path }: Operation, { segments }: DocumentWords): string {
  const all = segmentsOf(path).filter((each) => !isParameter(each));
  const own = all.filter((each, index) =>
    !isVersion(each) && !pathNoise.test(each) && index >= Math.min(segments, all.length - 1)
  );
  return own[0] ?? all.find((each) => !isVersion(each)) ?? all[0] ?? "";
}

/** Finds the collection that a group is about: the shortest path that ends with the words of the group. */
export function groupOf(
  { words, isTagged }: Pick<Group, "words" | "isTagged">,
  operations: readonly NamedOperation[],
): Group {
  const nouns = nounsOf(words);
  const own = operations.flatMap(({ operation: { path } }) => {
    const segments = segmentsOf(path);
    return segments.flatMap((last, index) => {
      if (isParameter(last)) return [];
      // The tag `WorkspaceDocuments` is about `/workspaces/{id}/documents`.
      const fixed = segments.slice(0, index + 1).filter((each) => !isParameter(each));
      const isRoot = [1, 2, 3].some((length) =>
        nouns.some((noun) => isSameNoun(fixed.slice(-length).flatMap(wordsOf), noun))
      );
      return isRoot ? [`/${segments.slice(0, index + 1).join("/")}`] : [];
    });
  });
  const roots = own.toSorted((a, b) =>
    segmentsOf(a).length - segmentsOf(b).length || (a < b ? -1 : a > b ? 1 : 0)
  );
  return { words, isTagged, root: roots[0] && keyOf(roots[0]) };
}

/** Returns the words of each operation's short name, without those that all of the group begin with. */
export function shortWords(
  operations: readonly NamedOperation[],
  group: Group,
  document: DocumentWords,
): ReadonlyMap<NamedOperation, readonly string[]> {
  const short = new Map(
    operations.map((each) => [each, shortOf(each.operation, group, document)]),
  );
  const all = [...short.values()];
  if (all.length < 3) return short;
  const shared = commonStart(all.map((words) => words.map((word) => word.toLowerCase())));
  const isNamed = operations.every(({ operation }) => isSpaced(operation.operationId ?? ""));
  const isVerb = (word: string) =>
    anyVerb.has(word) || !group.isTagged && isSameNoun([word], group.words);
  const isName = (word: string) =>
    !isVerb(word) && (isNamed || document.nouns.has(singularOf(word)));
  const length = shared.findLastIndex(isName) + 1;
  const rests = all.map((words) => words.slice(length));
  const isRight = length > 0 && shared.slice(0, length).every(isName) &&
    rests.every(isClear) && new Set(rests.map(camelCase)).size === rests.length;
  return isRight ? new Map([...short].map(([each, words]) => [each, words.slice(length)])) : short;
}

/** Returns the names that an operation could have, the best one first. */
export function wishesOf(
  named: NamedOperation,
  short: readonly string[],
  group: Group,
  document: DocumentWords,
): Wish[] {
  const { operation } = named;
  const usual = usualName(named, short, group, document);
  const whole = wordsOf(operation.operationId ?? "");
  const texts = [
    ...usual === undefined ? [] : [[usual]],
    ...isOfPath(operation) ? [nestedWords(named, group)] : [],
    short,
    withoutNouns(whole, group.words),
    whole,
    placeWords(
      operation,
      `/${segmentsOf(operation.path).filter((each) => !isVersion(each)).join("/")}`,
    ),
    placeWords(operation, operation.path),
  ].map((words) => camelCase(words)).filter((name) => name !== "");
  return [...new Set(texts)].map((name, index) => ({
    name,
    isSure: usual !== undefined && index === 0,
  }));
}

/**
 * Returns the usual name of an operation if its HTTP method, its path and its result leave no doubt, and
 * its operationId says nothing else.
 */
function usualName(
  { operation, isList }: NamedOperation,
  short: readonly string[],
  { root, words }: Group,
  { keys }: DocumentWords,
): UsualName | undefined {
  const path = keyOf(operation.path);
  if (root === undefined) return undefined;
  const isItem = path === `${root}/{}`;
  if (!isItem && path !== root) return undefined;
  const hasItems = [...keys].some((key) => key.endsWith(` ${root}/{}`));
  const name = isItem
    ? ofItem(operation.verb, isList, keys.has(`PATCH ${path}`))
    : ofCollection(operation.verb, isList, hasItems);
  if (name === undefined) return undefined;
  if (isOfPath(operation)) return name;
  if (isChosen(operation, words)) return undefined;
  const param = /\{([^{}]*)\}[^{}]*$/.exec(operation.path)?.[1] ?? "";
  // The path says which collection is around: `listTeamUsers` of `/teams/{id}/users`.
  const around = new Set(segmentsOf(root).flatMap(wordsOf).map(singularOf));
  const said = withoutNouns(withoutKey(short, isItem ? param : "", words), words)
    .filter((word) => !around.has(singularOf(word)));
  const rest = said.filter((word) => !fillers.has(word.toLowerCase()));
  return said.length > 0 && rest.every((word) => synonyms.get(name)!.has(word.toLowerCase()))
    ? name
    : undefined;
}

/** Reports if an operationId is one verb beside the tag, such as `pets/add`: a person has chosen it. */
function isChosen({ operationId = "" }: Operation, group: readonly string[]): boolean {
  const words = wordsOf(operationId).filter((word) => !isVersion(word));
  const rests = nounsOf(group).filter((noun) => isSameNoun(words.slice(0, noun.length), noun))
    .map((noun) => words.slice(noun.length).filter((word) => !/^controller$/i.test(word)));
  return [words, ...rests].some(([word, ...others]) =>
    word !== undefined && others.length === 0 && !/^(?:get|post|put|patch)$/i.test(word)
  );
}

function ofItem(verb: string, isList: boolean | undefined, hasPatch: boolean) {
  switch (verb) {
    case "GET":
      return isList === true ? undefined : "get";
    case "PUT":
      return hasPatch ? "replace" : "update";
    case "PATCH":
      return "update";
    case "DELETE":
      return "delete";
    default:
      return undefined;
  }
}

function ofCollection(verb: string, isList: boolean | undefined, hasItems: boolean) {
  if (verb === "GET") {
    return isList === true || isList === undefined && hasItems ? "list" : isList === false &&
        !hasItems
      ? "get"
      : undefined;
  }
  if (verb === "POST") return "create";
  // A resource of which there is one has no items.
  return hasItems ? undefined : ofItem(verb, false, false);
}

/** Returns words without `by id` and the like at their end, which the path says already. */
function withoutKey(
  words: readonly string[],
  param: string,
  group: readonly string[],
): readonly string[] {
  const by = words.findIndex((word) => word.toLowerCase() === "by");
  if (by < 1) return words;
  const own = words.slice(by + 1).map(singularOf).join("");
  const names = [...wordsOf(param).map(singularOf), ...group.map(singularOf), "id", "uuid", "key"];
  let rest = own;
  for (const name of names.toSorted((a, b) => b.length - a.length)) rest = rest.replace(name, "");
  return rest === "" ? words.slice(0, by) : words;
}

/** Returns the words of an operationId without what others have in common with it. */
function shortOf(
  operation: Operation,
  { words: group, isTagged }: Group,
  { prefix, nouns }: DocumentWords,
): readonly string[] {
  const id = operation.operationId;
  if (id === undefined || isOfPath(operation)) return localWords(operation, group);
  const parts = id.split(/[./:]+/).map(wordsOf).filter((part) => part.length > 0);
  const place = parts.findLastIndex((part) =>
    nounsOf(group).some((noun) => isSameNoun(part, noun))
  );
  // The words before the tag in `harbour.projects.piers.list` are the way to it.
  const own = place >= 0 && place < parts.length - 1 ? parts.slice(place + 1).flat() : wordsOf(id);
  const isPrefixed = prefix.every((word, index) => own[index]?.toLowerCase() === word) &&
    isClear(own.slice(prefix.length));
  const withoutPrefix = isPrefixed ? own.slice(prefix.length) : own;
  const plain = withoutPrefix.filter((word) => !isVersion(word))
    // `getByAccountIdv3` has its version in the last word.
    .map((word) => word.replace(/^(ids?)v\d+$/i, "$1"));
  // The first word of an id is a verb, unless it repeats the tag.
  const from = isTagged ? 0 : 1;
  const once = withoutTag(isClear(plain) ? plain : withoutPrefix, from, group, nouns);
  const short = withoutTag(once, from, group, nouns);
  return camelCase(short) === "getList" ? ["list"] : short;
}

/** Returns words without those of the tag, if the others are clear without them. */
function withoutTag(
  words: readonly string[],
  from: number,
  group: readonly string[],
  nouns: ReadonlySet<string>,
): readonly string[] {
  for (const noun of nounsOf(group)) {
    for (let start = from; start + noun.length <= words.length; start++) {
      const end = start + noun.length;
      if (!isSameNoun(words.slice(start, end), noun)) continue;
      const before = words.slice(0, start);
      const after = words.slice(end);
      const isController = start === 0 && /^controller$/i.test(after[0] ?? "") && after.length > 1;
      const rest = isController ? after.slice(1) : [...before, ...after];
      // `listTeamUsers` without `Users` would be a list of teams, `getBuyOrderOf` without `Order` nothing.
      const [previous] = before.slice(1).slice(-1);
      const isCompound = previous !== undefined && !anyVerb.has(previous.toLowerCase()) &&
        (after.length > 0 || nouns.has(singularOf(previous)));
      const isLinked = links.has(before.at(-1)?.toLowerCase() ?? "");
      if (!isCompound && !isLinked && isClear(rest)) return rest;
    }
  }
  return words;
}

/** Returns words without the tag's, wherever they are. */
function withoutNouns(words: readonly string[], group: readonly string[]): readonly string[] {
  for (const noun of nounsOf(group)) {
    for (let start = 0; start + noun.length <= words.length; start++) {
      if (!isSameNoun(words.slice(start, start + noun.length), noun)) continue;
      const rest = [...words.slice(0, start), ...words.slice(start + noun.length)];
      if (isClear(rest)) return rest;
    }
  }
  return words;
}

/** Reports if words can be a name: it neither begins nor ends with a word that links two others. */
function isClear(words: readonly string[]): boolean {
  const [first, last] = [words[0]?.toLowerCase(), words.at(-1)?.toLowerCase()];
  return first !== undefined && last !== undefined && !links.has(first) &&
    (!links.has(last) || words.length === 1) && /[a-z]/i.test(first[0]!);
}

/** Returns the words of a tag, and those without noise and versions, the longest first. */
function nounsOf(group: readonly string[]): (readonly string[])[] {
  const plain = group.filter((word) => !isVersion(word));
  const short = plain.filter((word) => !tagNoise.test(word));
  return [group, plain, short].filter((words, index, all) =>
    words.length > 0 && all.findIndex((each) => each.length === words.length) === index
  );
}

function isSameNoun(words: readonly string[], noun: readonly string[]): boolean {
  const text = (each: readonly string[]) => each.map(singularOf).join("");
  return text(words) === text(noun);
}

/** Reports if an operationId has nothing but the HTTP method and the path, as tools write it. */
function isOfPath({ operationId, verb, path }: Operation): boolean {
  if (operationId === undefined || wordsOf(operationId).length === 0) return true;
  const text = (value: string) => wordsOf(value).join("").toLowerCase();
  const place = segmentsOf(path);
  const id = text(operationId);
  const ways = [
    place.map(text),
    place.map((each) => isParameter(each) ? `by${text(each)}` : text(each)),
  ].map((words) => words.join(""));
  const method = verb.toLowerCase();
  return place.length > 0 &&
    ways.some((way) => id === `${method}${way}` || id === `${way}${method}`);
}

/** Returns the words of a method and a path without the parts that the group has: `get toys by id`. */
function localWords(operation: Operation, group: readonly string[]): readonly string[] {
  const { verb, path } = operation;
  const parts = segmentsOf(path).filter((each) => !isVersion(each) && !pathNoise.test(each));
  const nouns = nounsOf(group);
  const place = parts.findLastIndex((each) =>
    !isParameter(each) && nouns.some((noun) => isSameNoun(wordsOf(each), noun))
  );
  // Parameters in the middle of a path tell methods apart only rarely.
  const isTold = (each: string, index: number, all: readonly string[]) =>
    !isParameter(each) || index === all.length - 1;
  const below = parts.slice(place + 1).filter(isTold);
  const isBelow = below.length > 0 && !isParameter(below[0]!);
  const own = isBelow ? below : parts.slice(Math.max(place, 0)).filter(isTold);
  const words = own.flatMap((part) => isParameter(part) ? ["by", ...wordsOf(part)] : wordsOf(part))
    .map((word) => capitalized(word.toLowerCase()));
  return [...verbWords(verb), ...words];
}

/** Returns the words for a resource below that of the group: `list toys`, `get toy`. */
function nestedWords(
  { operation: { verb, path }, isList }: NamedOperation,
  { root }: Group,
): readonly string[] {
  const key = keyOf(path);
  if (root === undefined || !key.startsWith(`${root}/`)) return [];
  const parts = segmentsOf(path).slice(segmentsOf(root).length)
    .filter((each, index) => index > 0 || !isParameter(each));
  const isItem = isParameter(parts.at(-1) ?? "");
  const own = isItem ? parts.slice(0, -1) : parts;
  if (own.length !== 1 || isParameter(own[0]!)) return [];
  const words = wordsOf(own[0]!).map((word) => capitalized(word.toLowerCase()));
  const single = [...words.slice(0, -1), capitalized(singleWord(words.at(-1) ?? ""))];
  const isPlural = singleWord(words.at(-1) ?? "") !== words.at(-1);
  const name = isItem
    ? ofItem(verb, isList, false)
    : verb === "GET" && isList === true
    ? "list"
    : verb === "POST" && isPlural
    ? "create"
    : undefined;
  if (name === undefined) return [];
  return [name, ...name === "list" ? words : single];
}

/** Returns a word in its singular form, in the case in which it is written. */
function singleWord(word: string): string {
  const single = singularOf(word);
  return single === word.toLowerCase() ? word : word.slice(0, 1) + single.slice(1);
}

/** Returns the words of a method and a path: `GET /pets/{id}` becomes `get pets by id`. */
function placeWords({ verb }: Operation, path: string): string[] {
  const place = path.split(/(\{[^{}]*\})/).flatMap((part, index) =>
    index % 2 === 0 ? wordsOf(part) : ["by", ...wordsOf(part)]
  );
  return [...verbWords(verb), ...place.map((word) => capitalized(word.toLowerCase()))];
}

function verbWords(verb: string): string[] {
  return wordsOf(verb).length > 0 ? wordsOf(verb.toLowerCase()) : ["call"];
}

function segmentsOf(path: string): string[] {
  return path.split("?")[0]!.split("/").filter((each) => each !== "");
}

function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment);
}

/** Returns a path without the names of its parameters. */
function keyOf(path: string): string {
  return `/${segmentsOf(path).map((each) => each.replace(/\{[^{}]*\}/g, "{}")).join("/")}`;
}

function commonStart(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = lists;
  const end = first.findIndex((word, index) => lists.some((each) => each[index] !== word));
  return end < 0 ? first : first.slice(0, end);
}
