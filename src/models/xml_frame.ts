import type { XmlName } from "../xml/name.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import type { MutableRecord } from "./instance.ts";
import type { Shape } from "./value_type.ts";
import type { OpenUnknownElement } from "./xml_unknown.ts";
import type { XmlNode } from "./xml_node.ts";
import type { XmlField, XmlPlan } from "./xml_plan.ts";

/** An element that is open. */
export type Frame = AroundFrame | InnerFrame;

/** An element that is open and belongs to an instance. */
export type InnerFrame =
  | ContentFrame
  | TextFrame
  | RecordFrame
  | NilFrame
  | KeptFrame;

/** An element, and where it stands. */
export interface Opened {
  readonly name: XmlName;
  /** Which of its kind it is, from 1; 0 where there is one alone. */
  readonly index: number;
  readonly offset: number;
}

/** An element while it opens. */
export interface Opening extends Opened {
  index: number;
  /** Its attributes, till the next element opens: the arrays are used again. */
  readonly attributes: XmlAttributes;
}

/** Where its value goes: a field, a name in a record, or neither. */
export type FrameTarget = XmlField | string | undefined;

/** An element whose content belongs to an instance. */
export interface Content {
  readonly plan: XmlPlan;
  readonly instance: MutableRecord;
  readonly node: XmlNode;
  text: string;
  /** The index of the last child, where their order matters. */
  last: number;
}

/** An element with content of an instance. */
export type ContentFrame = ModelFrame | WrapperFrame;

/** An element around the instances. */
export interface AroundFrame extends Opened {
  readonly kind: "around";
}

export interface ModelFrame extends Opened, Content {
  readonly kind: "model";
  readonly target: FrameTarget;
}

export interface WrapperFrame extends Opened, Content {
  readonly kind: "wrapper";
  readonly target: undefined;
}

export interface TextFrame extends Opened {
  readonly kind: "text";
  readonly target: FrameTarget;
  readonly shape: Shape;
  text: string;
}

export interface RecordFrame extends Opened {
  readonly kind: "record";
  readonly target: FrameTarget;
  /** The content that it stands in, be it in other records. */
  readonly content: Content;
  readonly values: MutableRecord;
  readonly inner: Shape;
}

export interface NilFrame extends Opened {
  readonly kind: "nil";
  readonly target: FrameTarget;
}

export interface KeptFrame extends Opened {
  readonly kind: "kept";
  readonly target: undefined;
  readonly element: OpenUnknownElement;
}

/** Whether an element is around the instances, or is none. */
export function isOuter(frame: Frame | undefined): frame is AroundFrame | undefined {
  return frame === undefined || frame.kind === "around";
}
