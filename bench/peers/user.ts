/** The answer to `GET /users/7`, and to `POST /users`. */
export const USER = { id: 7, name: "Ada" };
