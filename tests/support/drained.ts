/** Returns a response after its body has been read, so that no connection stays open. */
export async function drained(call: Promise<Response>): Promise<Response> {
  const response = await call;
  await response.arrayBuffer();
  return response;
}
