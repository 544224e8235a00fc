// What the library has on its shelves: 250 books, always the same, made of a few words.

/** A book as the API stores and shows it. */
export interface StoredBook {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly onLoan: boolean;
}

/** How many books the library opens with. */
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

/** The books that the library opens with: ids from 1, every author with as many as any other. */
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
