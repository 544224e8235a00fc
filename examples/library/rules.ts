// Validation of books and members. It reports the problem of each field.

/** A problem with one field of a request body. */
export interface FieldProblem {
  readonly field: string;
  readonly expected: string;
}

interface Rule {
  readonly expected: string;
  readonly isOptional?: boolean;
  fits(value: unknown): boolean;
}

const filledText: Rule = {
  expected: "a non-empty string",
  fits: (value) => typeof value === "string" && value.trim() !== "",
};

const bookRules: Readonly<Record<string, Rule>> = {
  title: filledText,
  author: filledText,
  year: { expected: "a whole number", fits: Number.isInteger },
  onLoan: {
    expected: "true or false",
    isOptional: true,
    fits: (value) => typeof value === "boolean",
  },
};

const memberRules: Readonly<Record<string, Rule>> = {
  username: filledText,
  password: {
    expected: "a string of at least 8 characters",
    fits: (value) => typeof value === "string" && value.length >= 8,
  },
};

/** Returns the problems of a book. A partial book may omit fields. */
export function bookProblems(body: unknown, isPartial: boolean): FieldProblem[] {
  return problemsOf(body, bookRules, isPartial);
}

/** Returns the problems of a member. */
export function memberProblems(body: unknown): FieldProblem[] {
  return problemsOf(body, memberRules, false);
}

function problemsOf(
  body: unknown,
  rules: Readonly<Record<string, Rule>>,
  isPartial: boolean,
): FieldProblem[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return [{ field: "(body)", expected: "a JSON object" }];
  }
  const sent = new Map<string, unknown>(Object.entries(body));
  const problems: FieldProblem[] = [];
  for (const [field, { expected, isOptional = isPartial, fits }] of Object.entries(rules)) {
    const isFine = sent.has(field) ? fits(sent.get(field)) : isOptional;
    if (!isFine) problems.push({ field, expected });
    sent.delete(field);
  }
  for (const field of sent.keys()) problems.push({ field, expected: "left out" });
  return problems;
}
