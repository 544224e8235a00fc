// A client of an object store with the interface of Amazon S3: its options, errors and buckets.

import { APIClient, type ClientOptions } from "../../mod.ts";
import type { ErrorFrom, ErrorFunction } from "../../src/entries/errors.ts";
import { type AwsCredentials, AwsSignature4 } from "../aws_signature4.ts";
import { Bucket } from "./bucket.ts";
import { errorByCode, explain } from "./errors.ts";

/** Options of an {@linkcode ObjectStore}. */
export interface ObjectStoreOptions extends Omit<ClientOptions, "auth"> {
  readonly credentials: AwsCredentials;
  /** The region, such as `eu-central-1`. For another one, create another client. Default: "us-east-1" */
  readonly region?: string | undefined;
}

/** A client of a store. Pass `baseUrl` for another one than Amazon's. */
export class ObjectStore extends APIClient {
  static override readonly libName: string = "object-store";
  static override readonly libVersion: string = "1.0.0";
  static override readonly timeout: number = 60;
  static override readonly requestIdHeader: string = "x-amz-request-id";
  static override readonly optionNames: readonly string[] = ["credentials", "region"];
  static override readonly errorFrom: ErrorFrom = errorByCode;
  static override readonly errorFunc: ErrorFunction = explain;

  readonly #signature: AwsSignature4;

  constructor(options: ObjectStoreOptions) {
    const { region = "us-east-1", credentials, clock } = options;
    const signature = new AwsSignature4({ ...credentials, region, service: "s3", clock });
    const baseUrl = options.baseUrl ?? `https://s3.${region}.amazonaws.com`;
    super({ ...options, baseUrl, auth: signature });
    this.#signature = signature;
  }

  /** Returns a bucket, without a request. */
  bucket(name: string): Bucket {
    return new Bucket(this, name, this.#signature);
  }
}
