/** Draws bars as an SVG image, which can be read on light and dark pages. */

const COLORS = { own: "#0f766e", other: "#94a3b8" };

/** A bar of a chart with its texts. */
export interface ChartBar {
  /** The text on the left. */
  readonly name: string;
  /** The text at the end of the bar. */
  readonly figure: string;
  /** The length in pixels. */
  readonly length: number;
  /** True for a bar of the toolkit, which has another color. */
  readonly isOwn: boolean;
}

/** The width of a chart in pixels. */
export const CHART_WIDTH = 640;

/** Draws a bar that begins at the point `left`, `y`. It is 13 pixels high. */
export function chartBar(
  { name, figure, length, isOwn }: ChartBar,
  left: number,
  y: number,
): string[] {
  const color = isOwn ? COLORS.own : COLORS.other;
  return [
    `<text x="${left - 8}" y="${y + 12}" text-anchor="end">${escapeText(name)}</text>`,
    `<rect x="${left}" y="${y}" width="${length}" height="13" fill="${color}"/>`,
    `<text x="${left + length + 6}" y="${y + 12}">${escapeText(figure)}</text>`,
  ];
}

/** Returns an SVG image with a title above the parts. */
export function chart(title: string, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CHART_WIDTH}" height="${height}" ` +
    `viewBox="0 0 ${CHART_WIDTH} ${height}" ` +
    `font-family="system-ui, sans-serif" font-size="12" fill="#64748b" role="img">`,
    `<title>${escapeText(title)}</title>`,
    `<text x="8" y="20" font-size="14">${escapeText(title)}</text>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** Escapes a text of an SVG image. */
export function escapeText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
