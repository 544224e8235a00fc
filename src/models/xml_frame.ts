import type { Holder } from "./instance.ts";
import type { Shape } from "./value_type.ts";
import type { OpenKept } from "./xml_kept.ts";
import type { XmlNode } from "./xml_node.ts";
import type { XmlField, XmlPlan } from "./xml_plan.ts";

/** An element that is open. */
export type Frame = ModelFrame | WrapperFrame | TextFrame | RecordFrame | NilFrame | KeptFrame;

export interface Opened {
  /** Its name as it is written. */
  readonly raw: string;
  /** Its namespace. */
  readonly uri: string;
  /** Which of its kind it is, from 1; 0 where there is one alone. */
  readonly index: number;
  readonly offset: number;
}

/** An element whose content belongs to an instance. */
export interface Content {
  readonly plan: XmlPlan;
  readonly instance: Holder;
  readonly node: XmlNode;
  text: string;
}

export interface ModelFrame extends Opened, Content {
  readonly kind: "model";
  /** The index of the last child, where their order matters. */
  last: number;
}

export interface WrapperFrame extends Opened, Content {
  readonly kind: "wrapper";
  last: number;
}

export interface TextFrame extends Opened {
  readonly kind: "text";
  readonly shape: Shape;
  text: string;
}

export interface RecordFrame extends Opened {
  readonly kind: "record";
  readonly values: Holder;
  readonly inner: Shape;
}

export interface NilFrame extends Opened {
  readonly kind: "nil";
}

export interface KeptFrame extends Opened {
  readonly kind: "kept";
  readonly element: OpenKept;
}

/** Puts the value of a field in. */
export function assign(instance: Holder, field: XmlField, value: unknown): void {
  if (field.place !== "elements") instance[field.name] = value;
  else if (instance[field.name] === undefined) instance[field.name] = [value];
  else (instance[field.name] as unknown[]).push(value);
}

/** The content of a frame that has one. */
export function contentOf(frame: Frame | undefined): Content {
  return frame as ModelFrame;
}

/** Whether a text is nothing but blanks. */
export function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}
