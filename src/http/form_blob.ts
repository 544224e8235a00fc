/**
 * Writes `FormData` as a Blob, for a fetch of the program: that of another package than the runtime's may
 * send the form of the runtime as text. It is loaded by the first such request.
 */
import { fieldText, formEnd, formType, newBoundary, partStart } from "./form_part.ts";

/** Returns a form as `multipart/form-data`, with its type. The files are read while it is sent. */
export function formBlob(form: FormData): Blob {
  const boundary = newBoundary();
  const parts: BlobPart[] = [];
  for (const [name, value] of form) {
    if (typeof value === "string") {
      parts.push(`${partStart(boundary, name)}${fieldText(value)}\r\n`);
    } else {
      const type = value.type || "application/octet-stream";
      parts.push(partStart(boundary, name, { file: value.name, type }), value, "\r\n");
    }
  }
  return new Blob([...parts, formEnd(boundary)], { type: formType(boundary) });
}
