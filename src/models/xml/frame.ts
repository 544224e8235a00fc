/** The types of open elements while XML is read, by the values that they hold. */
import type { XmlName } from "../../xml/name.ts";
import type { XmlAttributes } from "../../xml/reader.ts";
import type { MutableRecord } from "../instance.ts";
import type { KeptElement } from "../unknown_content.ts";
import type { XmlElement } from "../../xml/content.ts";
import type { Markup, Shape } from "../value_type.ts";
import type { OpenSlot } from "./keep.ts";
import type { XmlNode } from "./node.ts";
import type { XmlField, XmlPlan } from "./plan.ts";

/** An open element. */
export type Frame = AroundFrame | InnerFrame;

/** An open element that belongs to an instance. */
export type InnerFrame =
  | ContentFrame
  | TextFrame
  | RecordFrame
  | NilFrame
  | MarkupFrame
  | UnknownFrame;

/** An open element with its place. */
export interface Opened {
  readonly name: XmlName;
  /** The position among elements of the same field, from 1; 0 if the field does not repeat. */
  readonly index: number;
  readonly offset: number;
}

/** An element that opens. */
export interface Opening extends Opened {
  index: number;
  /** The attributes. The arrays are reused for the next element. */
  readonly attributes: XmlAttributes;
}

/** The target of a value: a field, the name of a record's member, or none. */
export type FrameTarget = XmlField | string | undefined;

/** An element whose content belongs to an instance. */
export interface Content {
  readonly plan: XmlPlan;
  readonly instance: MutableRecord;
  readonly node: XmlNode;
  text: string;
  /** The texts and elements, if all of them are the value of the `text` field. */
  readonly markup: MutableContent | undefined;
  /** True if there is a child element, so that whitespace may be only formatting. */
  hasChildren: boolean;
  /** The index of the last child, if the order matters. */
  last: number;
  /** The unknown content, if the model keeps it. */
  readonly layout: KeptElement | undefined;
}

/** The content of an element while it is read. */
export type MutableContent = (string | XmlElement)[];

/** An element with content of an instance. */
export type ContentFrame = ModelFrame | WrapperFrame;

/** An element around the instances. */
export interface AroundFrame extends Opened {
  readonly kind: "around";
}

export interface ModelFrame extends Opened, Content {
  readonly kind: "model";
  readonly target: FrameTarget;
  /** The shape of the value; undefined at the root. */
  readonly shape: Shape | undefined;
  /** The number of issues before the element opened. */
  readonly issues: number;
}

export interface WrapperFrame extends Opened, Content {
  readonly kind: "wrapper";
  readonly target: undefined;
}

/** An element whose value is not an instance. */
interface ValueFrame extends Opened {
  readonly target: FrameTarget;
  readonly shape: Shape;
  /** The place of the element, if it has unknown content. */
  readonly slot: OpenSlot | undefined;
}

export interface TextFrame extends ValueFrame {
  readonly kind: "text";
  text: string;
}

export interface RecordFrame extends ValueFrame {
  readonly kind: "record";
  /** The content of the instance around the record. */
  readonly content: Content;
  readonly values: MutableRecord;
  readonly inner: Shape;
  /** The number of issues before the element opened. */
  readonly issues: number;
}

export interface NilFrame extends ValueFrame {
  readonly kind: "nil";
}

export interface MarkupFrame extends ValueFrame {
  readonly kind: "markup";
  readonly markup: Markup;
  readonly children: MutableContent;
}

/** An element that no field declares, and that is kept. */
export interface UnknownFrame extends Opened {
  readonly kind: "unknown";
  readonly target: undefined;
  readonly element: XmlElement;
  readonly children: MutableContent;
}

/** Reports if an element is around the instances, or if there is none. */
export function isOuter(frame: Frame | undefined): frame is AroundFrame | undefined {
  return frame === undefined || frame.kind === "around";
}
