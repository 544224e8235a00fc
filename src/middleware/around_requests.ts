/** Runs a function around each HTTP request of an attempt, as most of the ready middleware does. */
import type { Middleware, MiddlewareRequest } from "../options/middleware.ts";
import { isOwnNetwork, ownNetwork, type SentRequest } from "../call/sent_request.ts";

/** A function around each HTTP request of an attempt. */
export type AroundRequest = (
  sent: SentRequest,
  send: (headers?: Readonly<Record<string, string>>) => Promise<Response>,
) => Promise<Response>;

/**
 * Returns middleware that runs a function around each HTTP request of an attempt. So it sees what is
 * really sent, and does nothing while a scheme waits for its token.
 *
 * @param create Returns the function for an attempt
 */
export function aroundRequests(create: (request: MiddlewareRequest) => AroundRequest): Middleware {
  return (request, next) => {
    const own = create(request);
    // A program may call this middleware from a function of its own, after another one.
    const outer = request.network;
    const network: AroundRequest = outer === undefined
      ? own
      : (sent, send) =>
        (outer as AroundRequest)(
          sent,
          (headers) => own(sent.with(headers), (more) => send({ ...headers, ...more })),
        );
    const isOwn = outer === undefined || isOwnNetwork(outer);
    request.network = (isOwn ? ownNetwork(network) : network) as typeof request.network;
    return next(request);
  };
}
