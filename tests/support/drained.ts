/** A response whose body has been read to its end, so that no connection stays behind. */
export async function drained(call: Promise<Response>): Promise<Response> {
  const response = await call;
  await response.arrayBuffer();
  return response;
}
