// The library's 250 books. They are always the same; their titles are built from a few words.

/** A book as the API stores and shows it. */
export interface StoredBook {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly onLoan: boolean;
}

/** The number of books at the start. */
export const BOOK_COUNT = 250;

const qualities: readonly string[] =
  "Amber,Borrowed,Crooked,Distant,Early,Forgotten,Gentle,Hidden,Inland,Quiet".split(",");

const things: readonly string[] = [
  ..."Almanac,Bridge,Compass,Door,Engine,Ferry,Garden,Harbour,Island,Journal,Key,Lantern".split(
    ",",
  ),
  ..."Map,Needle,Orchard,Piano,Quarry,River,Staircase,Tide,Umbrella,Valley,Window,Year,Zoo"
    .split(","),
];

const authors: readonly string[] = [
  ...["Ada Moss", "Bruno Vale", "Clara Finch", "Dario Stone", "Edith Marsh"],
  ...["Felix Wren", "Greta Holm", "Hugo Lark", "Ines Calder", "Jonas Reed"],
];

/** Creates the first books. Their ids begin at 1, and each author has the same number of books. */
export function firstBooks(): StoredBook[] {
  return Array.from({ length: BOOK_COUNT }, (_, index) => {
    const row = Math.floor(index / qualities.length);
    return {
      id: index + 1,
      title: `The ${qualities[index % qualities.length]} ${things[row]}`,
      author: authors[(index + row) % authors.length]!,
      year: 1900 + (index * 37) % 120,
      onLoan: index % 4 === 3,
    };
  });
}
