// The XML documents of the store. Their names are those of the XML in camelCase.

import {
  boolean,
  date,
  element,
  elements,
  integer,
  model,
  openEnum,
  string,
} from "../../src/models/mod.ts";

const s3 = {
  namespace: "http://s3.amazonaws.com/doc/2006-03-01/",
  assumeNamespace: true, // some compatible services leave it out
  rename: "PascalCase",
} as const;

/** Fields that a service may leave out, or send as an empty element. */
const maybe = { optional: true, emptyAsAbsent: true } as const;

/** An object in a listing. */
export class StoredObject extends model("Contents", {
  key: element(string),
  lastModified: element(date),
  eTag: element(string),
  size: element(integer),
  storageClass: element(openEnum("STANDARD", "STANDARD_IA", "GLACIER"), { default: "STANDARD" }),
}, s3) {}

/** The common beginning of some keys, up to the delimiter. */
export class CommonPrefix extends model("CommonPrefixes", { prefix: element(string) }, s3) {}

/** A page of a bucket (ListObjectsV2). */
export class Listing extends model("ListBucketResult", {
  isTruncated: element(boolean),
  nextContinuationToken: element(string, maybe),
  contents: elements(StoredObject),
  commonPrefixes: elements(CommonPrefix),
}, s3) {
  /** The common prefixes of this page: its folders, if the delimiter is a slash. */
  get folders(): string[] {
    return this.commonPrefixes.map(({ prefix }) => prefix);
  }
}

/** The version that a copy has made (CopyObject). */
export class CopyResult extends model("CopyObjectResult", {
  eTag: element(string),
  lastModified: element(date),
}, s3) {}

/** The beginning of an upload in parts (CreateMultipartUpload). */
export class CreatedUpload extends model("InitiateMultipartUploadResult", {
  uploadId: element(string),
}, s3) {}

/** A part that the store has. */
export class UploadedPart extends model("Part", {
  partNumber: element(integer),
  eTag: element(string),
}, s3) {}

/** The parts of an object, in their order. */
export class UploadedParts extends model("CompleteMultipartUpload", {
  parts: elements(UploadedPart),
}, s3) {}

/** The object of an upload in parts (CompleteMultipartUpload). */
export class CompletedUpload extends model("CompleteMultipartUploadResult", {
  eTag: element(string),
}, s3) {}
