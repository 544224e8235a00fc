/** Errors after which there is no output: the document or another file cannot be used. */

/** A fault of a file that the user passes. Its message begins with the file and the place. */
export class FileError extends Error {
  /** The name of the class. */
  override readonly name: string = "FileError";
  /** The file, as it was given. */
  readonly file: string;
  /** The line of the fault, from 1. */
  readonly line: number | undefined;
  /** The column of the fault, from 1. */
  readonly column: number | undefined;

  /** Builds an error. Its message begins with the file and the place. */
  constructor(
    file: string,
    message: string,
    place?: { readonly line: number; readonly column: number } | undefined,
    options?: { readonly cause?: unknown },
  ) {
    super(
      `${file}${place === undefined ? "" : `:${place.line}:${place.column}`}: ${message}`,
      options,
    );
    this.file = file;
    this.line = place?.line;
    this.column = place?.column;
  }
}

/** A bug of the generator. Its message has the place in the document that was read last. */
export class InternalError extends Error {
  /** The name of the class. */
  override readonly name = "InternalError";

  /**
   * @param cause The error that should not have been thrown
   * @param pointer The pointer of the place, if one was read
   */
  constructor(cause: unknown, pointer?: string) {
    const [text] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    const place = pointer === undefined ? "" : ` at ${pointer}`;
    super(
      `internal error${place}: ${text}; this is a bug of the generator: please report it, with the ` +
        "document if you can",
      { cause },
    );
  }
}

/** A document that cannot be read, or is not OpenAPI. */
export class DocumentError extends FileError {
  /** The name of the class. */
  override readonly name = "DocumentError";
}

/** An overlay that is broken, or does not fit the document. */
export class OverlayError extends FileError {
  /** The name of the class. */
  override readonly name = "OverlayError";
}

/** A names file that is broken. */
export class NamesError extends Error {
  /** The name of the class. */
  override readonly name = "NamesError";
}

/** A file of overrides that is broken, or says something that the document cannot have. */
export class OverridesError extends Error {
  /** The name of the class. */
  override readonly name = "OverridesError";
}

/** A configuration or a list of methods that does not state the shape of an SDK. */
export class ShapeError extends FileError {
  /** The name of the class. */
  override readonly name = "ShapeError";
}

/** An option that does not exist, or has a wrong value. */
export class OptionError extends TypeError {
  /** The name of the class. */
  override readonly name = "OptionError";
}
