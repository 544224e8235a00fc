/**
 * Draws the sizes of users' programs, and of programs with other clients, as a chart.
 *
 * `deno run -A scripts/npm/sizes/size_chart.ts` writes docs/benchmarks/sizes.svg.
 */
import { writeFile } from "node:fs/promises";
import { chart, CHART_WIDTH, chartBar } from "../../shared/chart.ts";
import { type SizedProgram, sizedPrograms } from "./programs.ts";

/** A program with another client. */
export interface PeerSize {
  /** The client and its version. */
  readonly name: string;
  /** The size of a program that gets JSON once, in bytes, minified and gzipped. */
  readonly gzipped: number;
}

/** The month in which the programs of other clients were measured, with esbuild 0.28.2. */
const MEASURED = "November 2026";

/** Programs that create a client and get JSON once, bundled like those of the toolkit. */
export const peerSizes: readonly PeerSize[] = [
  { name: "hey-api 0.99.0", gzipped: 3_927 },
  { name: "ofetch 1.5.1", gzipped: 4_071 },
  { name: "ky 2.1.0", gzipped: 8_962 },
  { name: "Stainless (groq-sdk 1.6.0)", gzipped: 10_727 },
  { name: "axios 1.21.1", gzipped: 22_302 },
];

/** The path of the chart, relative to the root. */
export const SIZE_CHART = "docs/benchmarks/sizes.svg";

/**
 * Returns the chart as SVG. The bars of the toolkit show the sizes in programs.ts.
 *
 * @param programs The programs with the toolkit
 * @param peers The programs with other clients
 */
export function sizeChart(
  programs: readonly Pick<SizedProgram, "name" | "size">[] = sizedPrograms,
  peers: readonly PeerSize[] = peerSizes,
): string {
  const [left, rowHeight, top] = [240, 18, 40];
  const rows = [
    ...peers.map(({ name, gzipped }) => ({ name, bytes: gzipped, isOwn: false })),
    ...programs.map(({ name, size }) => ({ name, bytes: size, isOwn: true })),
  ];
  const most = Math.max(...rows.map(({ bytes }) => bytes));
  const room = CHART_WIDTH - left - 60;
  const bars = rows.flatMap(({ name, bytes, isOwn }, index) => {
    const length = Math.round(bytes / most * room);
    const figure = `${(bytes / 1000).toFixed(1)} kB`;
    return chartBar({ name, figure, length, isOwn }, left, top + index * rowHeight);
  });
  const title = `Bundles for browsers, minified and gzipped (other clients: ${MEASURED})`;
  return chart(title, top + rows.length * rowHeight + 8, bars);
}

if (import.meta.main) {
  await writeFile(new URL(`../../../${SIZE_CHART}`, import.meta.url), sizeChart());
}
