/** What the stand-in calls a user: for most the number that is written to, for those of some countries another form of it. */

/** Numbers that begin with `from` are users whose id begins with `to` in its place; digits alone. */
export type WaIdForm = { readonly from: string; readonly to: string };

/** As Meta does: Côte d'Ivoire and Benin as before their numbers grew, Mexico and Argentina with a digit more, Brazil with one less. */
const USUAL_FORMS: readonly (readonly [numbers: RegExp, waId: string])[] = [
  [/^225(?:01|05|07|21|25|27)(\d{8})$/, "225$1"],
  [/^22901(\d{8})$/, "229$1"],
  [/^52([2-9]\d{9})$/, "521$1"],
  [/^54([1-8]\d{9})$/, "549$1"],
  [/^55([1-9]\d)9(\d{8})$/, "55$1$2"],
];

/** "usual": the forms of these countries. "22670=2260": one of one's own. Null for anything else. */
export function parseWaIdForm(word: string): WaIdForm | "usual" | null {
  if (word === "usual") return word;
  const [, from, to] = /^\+?(\d{1,15})=\+?(\d{1,15})$/.exec(word) ?? [];
  return from === undefined || to === undefined ? null : { from, to };
}

/** The id of a user by the number that is written to, in digits: by the first form that fits. */
export function waIdOf(forms: readonly (WaIdForm | "usual")[], number: string): string {
  for (const form of forms) {
    if (form === "usual") {
      const [numbers, waId] = USUAL_FORMS.find(([each]) => each.test(number)) ?? [];
      if (numbers !== undefined && waId !== undefined) return number.replace(numbers, waId);
    } else if (number.startsWith(form.from)) {
      return `${form.to}${number.slice(form.from.length)}`;
    }
  }
  return number;
}
