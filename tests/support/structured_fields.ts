import {
  type BareItem as OracleItem,
  DisplayString,
  type InnerList,
  type Item,
  parseList as parseByOracle,
  Token,
} from "structured-headers";
import {
  type BareItem,
  type ListMember,
  parseList,
} from "../../src/middleware/structured_fields.ts";

/** Parses a field with the package `structured-headers`; undefined if it is malformed. */
export function parsedByOracle(text: string): unknown[] | undefined {
  try {
    return parseByOracle(text).map(oracleMember);
  } catch {
    return undefined;
  }
}

function oracleMember([item, params]: Item | InnerList): unknown {
  const value = Array.isArray(item) ? item.map(oracleMember) : oracleValue(item);
  return [value, Object.fromEntries([...params].map(([name, each]) => [name, oracleValue(each)]))];
}

function oracleValue(item: OracleItem): unknown {
  if (item instanceof Token) return `token ${item}`;
  if (item instanceof DisplayString) return `display ${item}`;
  if (item instanceof Date) return `date @${item.getTime() / 1000}`;
  if (item instanceof ArrayBuffer) {
    return `bytes :${btoa(String.fromCharCode(...new Uint8Array(item)))}:`;
  }
  return typeof item === "string" ? `string ${item}` : item;
}

/** Returns what the parser returns in the form of `parsedByOracle`. */
export function parsedByToolkit(text: string): unknown[] | undefined {
  return parseList(text)?.map(memberOf);
}

function memberOf({ item, params }: ListMember): unknown {
  const value = "type" in item ? valueOf(item) : item.map(memberOf);
  return [value, Object.fromEntries([...params].map(([name, each]) => [name, valueOf(each)]))];
}

function valueOf({ type, value }: BareItem): unknown {
  // Padding can be left out.
  if (type === "bytes") return `bytes :${btoa(atob(String(value).slice(1, -1)))}:`;
  return typeof value === "string" ? `${type} ${value}` : value;
}
