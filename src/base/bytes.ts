/** Recognises bytes, and returns them in the form that every fetch and Blob accepts. */

/** A buffer, or a view of one. Its memory may be shared. */
export type Bytes = ArrayBufferLike | ArrayBufferView;

/** Reports if a value is bytes, also of another realm. */
export function isBytes(value: unknown): value is Bytes {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ||
    /^\[object (?:Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}

/** Reports if a value is a `Uint8Array`, also one of another realm. */
export function isUint8Array(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array ||
    ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/**
 * Returns bytes that fetch and Blob accept. They refuse shared memory, buffers that can be resized,
 * and some of them buffers of another realm, or send those as text; they get a copy.
 */
export function sendableBytes(bytes: Bytes): ArrayBuffer | ArrayBufferView<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(bytes)
    ? bytes
    : { buffer: bytes, byteOffset: 0, byteLength: bytes.byteLength };
  const isPlain = buffer instanceof ArrayBuffer && !buffer.resizable;
  if (isPlain) return bytes as ArrayBuffer | ArrayBufferView<ArrayBuffer>;
  return new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength));
}
