import { refused, type Route, unfit } from "./route.ts";
import { memberProblems } from "./rules.ts";

/** Creates the routes of the members and of the session that a member logs in to. */
export function memberRoutes(): Route[] {
  const passwords = new Map([["ada", "countess-1815"]]);
  const loggedIn = new Map<string, string>();
  const unknown = refused(401, "log in first: POST /session, then send X-Session-Token");

  return [{
    path: /^\/members$/,
    methods: {
      POST({ body }) {
        const problems = memberProblems(body);
        if (problems.length > 0) return unfit("this is not a member", problems);
        const { username, password } = body as { username: string; password: string };
        if (passwords.has(username)) return refused(409, "this user name is taken");
        passwords.set(username, password);
        return { status: 201, body: { username } };
      },
    },
  }, {
    path: /^\/members\/me$/,
    methods: {
      GET({ token }) {
        const username = loggedIn.get(token);
        return username === undefined ? unknown : { status: 200, body: { username } };
      },
    },
  }, {
    path: /^\/session$/,
    methods: {
      POST({ body }) {
        const { username = "", password } = (body ?? {}) as Record<string, string>;
        if (password === undefined || passwords.get(username) !== password) {
          return refused(401, "wrong user name or password");
        }
        const token = crypto.randomUUID();
        loggedIn.set(token, username);
        return { status: 201, body: { token } };
      },
      DELETE: ({ token }) => loggedIn.delete(token) ? { status: 204 } : unknown,
    },
  }];
}
