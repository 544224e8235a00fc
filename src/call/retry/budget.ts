/** Limits the retries of all calls of an HTTP session while a server is down. */
import type { HttpSession } from "../../http/http_session.ts";

/** The tokens of a full budget. */
const CAPACITY = 500;
/** The tokens that a retry costs. */
const RETRY_COST = 5;
/** The tokens that a retry after a timeout costs. */
const TIMEOUT_RETRY_COST = 10;
/** The tokens that a success without a retry returns. */
const SUCCESS_REFUND = 1;

/**
 * The tokens for the retries of an HTTP session. If a server is down, the retries of all calls
 * together stop after about a hundred, and begin again when calls succeed.
 *
 * It is the rule of the AWS SDKs ("standard" retry mode): each retry takes 5 of 500 tokens, or 10
 * after a timeout. A success returns the tokens of its last retry, or 1 if it needed none.
 */
export class RetryBudget {
  #tokens = CAPACITY;

  /** Takes the tokens for a retry, and returns their number; undefined if there are not enough. */
  take(isTimeout: boolean): number | undefined {
    const cost = isTimeout ? TIMEOUT_RETRY_COST : RETRY_COST;
    if (this.#tokens < cost) return undefined;
    this.#tokens -= cost;
    return cost;
  }

  /** Returns tokens after a success: those of the last retry, if there was one. */
  refund(tokens: number = SUCCESS_REFUND): void {
    this.#tokens = Math.min(CAPACITY, this.#tokens + tokens);
  }
}

const budgets = new WeakMap<HttpSession, RetryBudget>();

/** Returns the budget of an HTTP session. Sessions that share the HTTP session share it. */
export function retryBudgetOf(http: HttpSession): RetryBudget {
  const budget = budgets.get(http) ?? new RetryBudget();
  budgets.set(http, budget);
  return budget;
}
