/** Two pages of a list for its test: the replies, and the second request. */

import { propertiesIn, withoutNull } from "../pages/mod.ts";
import type {
  MethodTest,
  PageField,
  PageReply,
  Pages,
  Pair,
  Parameter,
  Property,
  RequestBody,
  Sample,
  Type,
} from "../../model/mod.ts";
import { memberOf, withMember } from "../../algebra/samples.ts";
import type { TypePlanner } from "../types/mod.ts";

/** The arguments of a call, and its URL without the query. */
export type SampledCall = Pick<MethodTest, "path" | "body" | "params" | "url">;

/** The list of a test. */
export interface TestedList {
  readonly pages: Pages;
  /** The type of a page, and a sample of it. */
  readonly type: Type;
  readonly data: Sample;
  /** A sample of an item. */
  readonly item: Sample;
  readonly call: SampledCall;
  readonly parameters: readonly Parameter[];
  /** The body that has the parameters; undefined if they are in the query. */
  readonly body: RequestBody | undefined;
}

/** The pages of a test. */
export interface PlannedPages {
  /** The call of the first page. */
  readonly call: SampledCall;
  readonly pages: readonly PageReply[];
  /** The items of both pages. */
  readonly items: readonly Sample[];
  /** The query of the second request, or the parameter that it sets. */
  readonly next: { readonly link: readonly Pair[] } | NextParameter;
}

interface NextParameter {
  readonly name: string;
  readonly value: string | number;
}

/** The cursor of the second page, and the number of items, pages and of the second page. */
const [CURSOR, COUNT] = ["page-2", 2];

/** The query of the URL of the second page. */
const LINK: readonly Pair[] = [["page", "2"]];

/** Plans two pages; undefined if the document does not allow them. */
export function planPageReplies(
  types: TypePlanner,
  list: TestedList,
): PlannedPages | undefined {
  const { pages: { rule, items: steps }, type, item } = list;
  const place = steps.map(({ name }) => name);
  const withItems = (items: readonly Sample[]): PageDraft | undefined => {
    const body = withMember(list.data, place, { kind: "list", items });
    return body === undefined ? undefined : new PageDraft(types, type, body);
  };
  const [first, last, empty] = [withItems([item]), withItems([item]), withItems([])];
  if (first === undefined || last === undefined || empty === undefined) return undefined;
  const result = (
    next: PlannedPages["next"],
    call: SampledCall | undefined,
    second: PageDraft = last,
  ): PlannedPages | undefined => {
    const isRight = call !== undefined && first.isRight && second.isRight;
    if (!isRight) return undefined;
    const items = second === empty ? [item] : [item, item];
    return { call, pages: [first, second], items, next };
  };
  const call = new CallDraft(types, list);
  const url = `${list.call.url}?page=2`;
  if (rule === undefined) return undefined;
  switch (rule.kind) {
    case "linkHeader":
      first.headers.push(["link", `<${url}>; rel="next"`]);
      return result({ link: LINK }, list.call);
    case "nextUrl":
      first.set(rule.field, url);
      last.clear(rule.field);
      return result({ link: LINK }, list.call);
    case "cursor": {
      const { param, field, hasMore } = rule;
      const value = cursorOf(field, item, { first, last, isEnd: hasMore === undefined });
      if (value === undefined) return undefined;
      if (hasMore !== undefined) {
        first.setFlag(hasMore, true);
        last.setFlag(hasMore, false);
      }
      return result({ name: param, value }, call.without(param).done());
    }
    case "offset": {
      const { param, limitParam, total, first: start = 0 } = rule;
      const begun = call.startAt(param, start).startAt(limitParam, 1);
      const next = { name: param, value: start + 1 };
      if (total === undefined) return result(next, begun.done(), empty);
      for (const page of [first, last]) page.set(total, COUNT);
      return result(next, begun.done());
    }
    case "pageNumber": {
      const { param, sizeParam, total, pages, first: start = 1 } = rule;
      const begun = call.startAt(param, start).startAt(sizeParam, 1);
      const next = { name: param, value: start + 1 };
      if (total === undefined && pages === undefined) return result(next, begun.done(), empty);
      for (const field of [total, pages]) {
        if (field !== undefined) { for (const page of [first, last]) page.set(field, COUNT); }
      }
      return result(next, begun.done());
    }
    default:
      // A rule of a new kind does not compile here.
      return rule satisfies never;
  }
}

/** Returns the cursor of the second page, and writes it to the first one. */
function cursorOf(
  field: PageField | { readonly lastItem: string },
  item: Sample,
  { first, last, isEnd }: {
    readonly first: PageDraft;
    readonly last: PageDraft;
    /** True if the last page has no cursor. */
    readonly isEnd: boolean;
  },
): string | number | undefined {
  if (typeof field === "object" && "lastItem" in field) {
    const id = memberOf(item, field.lastItem);
    return typeof id === "string" || typeof id === "number" ? id : undefined;
  }
  const value = first.set(field, CURSOR, [COUNT]) ?? CURSOR;
  if (isEnd) last.clear(field);
  return value;
}

/** A page that is being made. */
class PageDraft implements PageReply {
  readonly headers: Pair[] = [];
  /** False if a field cannot have the value that the rule needs. */
  isRight = true;
  body: Sample;
  readonly #types: TypePlanner;
  readonly #type: Type;

  constructor(types: TypePlanner, type: Type, body: Sample) {
    this.#types = types;
    this.#type = type;
    this.body = body;
  }

  /** Sets a field to the first value that its type allows, and returns that. */
  set(
    field: PageField,
    value: string | number,
    others: readonly (string | number)[] = [],
  ): string | number | undefined {
    if (typeof field !== "string") {
      this.headers.push([field.header.toLowerCase(), String(value)]);
      return value;
    }
    const [place, property] = this.#find(field);
    const found = property && withoutNull(this.#types, property.type);
    const fits = (each: string | number) =>
      // A rule can name a field that the document does not declare.
      found === undefined || found.kind === "unknown" || found.kind === typeof each ||
      found.kind === "union" && found.members.some(({ kind }) => kind === typeof each);
    const allowed = [value, ...others].find(fits);
    if (allowed !== undefined) this.#replace(place, allowed);
    else this.isRight = false;
    return allowed;
  }

  /** Sets a flag. */
  setFlag(field: PageField, value: boolean): void {
    if (typeof field !== "string") this.headers.push([field.header.toLowerCase(), String(value)]);
    else {
      const [place, property] = this.#find(field);
      const { kind } = property === undefined
        ? { kind: "never" }
        : withoutNull(this.#types, property.type);
      if (kind === "boolean" || kind === "unknown") this.#replace(place, value);
      else this.isRight = false;
    }
  }

  /** Leaves a field out, or empties it if it must be there. */
  clear(field: PageField): void {
    if (typeof field !== "string") return;
    const [place, property] = this.#find(field);
    if (property === undefined) return;
    if (property.optional) this.#replace(place, undefined);
    else {
      const found = this.#types.resolve(property.type);
      const hasNull = found.kind === "union" && found.members.some(({ kind }) => kind === "null");
      const isText = found.kind === "string" || found.kind === "unknown";
      if (hasNull) this.#replace(place, null);
      else if (isText) this.#replace(place, "");
      else this.isRight = false;
    }
  }

  #replace(place: readonly string[], value: Sample | undefined): void {
    const body = withMember(this.body, place, value);
    if (body === undefined) this.isRight = false;
    else this.body = body;
  }

  /** Finds a field: one with that name, or one in others, joined by dots. */
  #find(field: string): readonly [place: readonly string[], property: Property | undefined] {
    const own = propertiesIn(this.#types, this.#type);
    const whole = own.find(({ name }) => name === field);
    if (whole !== undefined) return [[field], whole];
    const place = field.split(".");
    let type = this.#type;
    let property: Property | undefined;
    for (const name of place) {
      property = propertiesIn(this.#types, type).find((each) => each.name === name);
      if (property === undefined) return [place, undefined];
      type = property.type;
    }
    return [place, property];
  }
}

/** The call of the first page, without the parameters that the rule sets. */
class CallDraft {
  readonly #types: TypePlanner;
  readonly #list: TestedList;
  #call: SampledCall | undefined;

  constructor(types: TypePlanner, list: TestedList) {
    this.#types = types;
    this.#list = list;
    this.#call = list.call;
  }

  done(): SampledCall | undefined {
    return this.#call;
  }

  /** Leaves a parameter out. One that is required keeps its sample. */
  without(param: string): this {
    return this.#change(param, undefined);
  }

  /** Leaves a parameter out. One that is required gets a value. */
  startAt(param: string | undefined, value: number): this {
    return param === undefined ? this : this.#change(param, value);
  }

  #change(param: string, value: number | undefined): this {
    const { parameters, body } = this.#list;
    const parameter: Pick<Property, "name" | "type" | "optional"> | undefined = body === undefined
      ? parameters.filter(({ wireName, place }) => wireName === param && place === "query")
        .map(({ name, type, required }) => ({ name, type, optional: !required }))[0]
      : this.#types.propertiesOf(body.type).find(({ name }) => name === param);
    // A parameter that is not declared is not in the call.
    if (parameter === undefined || this.#call === undefined) {
      if (body !== undefined && param.includes(".")) this.#call = undefined;
      return this;
    }
    const { name, type, optional } = parameter;
    if (!optional && value === undefined) return this;
    const { kind } = this.#types.resolve(type);
    const typed = kind === "number" ? value : kind === "string" ? String(value) : undefined;
    if (!optional && typed === undefined) this.#call = undefined;
    else this.#set(name, optional ? undefined : typed);
    return this;
  }

  #set(name: string, value: Sample | undefined): void {
    const place = this.#list.body === undefined ? "params" : "body";
    const object = this.#call?.[place];
    if (this.#call === undefined || object === undefined) return;
    this.#call = { ...this.#call, [place]: withMember(object, [name], value) };
  }
}
