/** The tables of `--help`: an argument and its text in each row. */

/** The column of the texts in `--help`, and the width of its lines. */
const [COLUMN, LINE] = [23, 100];

/** An argument that only one command has. */
export interface OwnArgument {
  /** The word for the value in `--help`; undefined for a flag. */
  readonly argument?: string | undefined;
  readonly help: string;
  /** True if it concerns one run, so that a configuration does not have it. */
  readonly isOfRun?: true | undefined;
}

/** The arguments that only one command has, by their names. */
export type OwnArguments = Readonly<Record<string, OwnArgument>>;

/** A row of `--help`: the option with its value, and the text. */
export type HelpRow = readonly [option: string, text: string];

/** Returns the rows of the arguments that only one command has. */
export function helpRows(own: OwnArguments): HelpRow[] {
  return Object.entries(own).map(([flag, each]) => helpRow(flag, each));
}

export function helpRow(flag: string, { argument, help }: OwnArgument): HelpRow {
  return [argument === undefined ? `--${flag}` : `--${flag} ${argument}`, help];
}

/** Returns the rows of `--help` as lines, with a last row for `--help` itself. */
export function helpTable(rows: readonly HelpRow[]): string {
  return [...rows, ["--help", "prints this text"] as const].map(([option, text]) => {
    const lines = [`  ${option}`.padEnd(COLUMN)];
    if (lines[0]!.length > COLUMN) lines.push(" ".repeat(COLUMN));
    let isFirst = true;
    // An object of JSON stays on one line. The text is of a program, not of a document.
    // eslint-disable-next-line regexp/no-super-linear-move
    for (const word of text.split(/ (?![^{]*\})/)) {
      const line = lines.at(-1)!;
      if (!isFirst && line.length + 1 + word.length > LINE) {
        lines.push(" ".repeat(COLUMN) + word);
      } else lines[lines.length - 1] = isFirst ? line + word : `${line} ${word}`;
      isFirst = false;
    }
    return lines.join("\n");
  }).join("\n");
}
