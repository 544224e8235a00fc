import { refused, type Route } from "./route.ts";

/** Creates the routes of an older catalogue. Its cards are XML only, typed in by hand. */
export function cardRoutes(): Route[] {
  return [{
    path: /^\/cards\/(\d+)$/,
    methods: {
      GET({ id }) {
        const xml = cards[id - 1];
        return xml === undefined ? refused(404, `there is no card ${id}`) : { status: 200, xml };
      },
    },
  }];
}

const cards: readonly string[] = [
  `<?xml version="1.0" encoding="UTF-8"?>
<card number="1">
  <title>The Salt Road</title>
  <year>1871</year>
  <copies>
    <copy shelf="A 3">1931-04-05</copy>
  </copies>
</card>
`,
  `<?xml version="1.0" encoding="UTF-8"?>
<card number="2">
  <title>The Lost Atlas</title>
  <year>about 1890</year>
  <copies>
    <copy shelf="A 3">1931-04-05</copy>
    <copy shelf="B 1">spring 1940</copy>
  </copies>
</card>
`,
];
