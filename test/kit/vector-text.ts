/** The text that a length vector names: `a*152+€` is a 152 times and then €. */
export function vectorText(name: string): string {
  return name
    .split("+")
    .map((term) => {
      const [character = "", times = "1"] = term.split("*");
      return character.repeat(Number(times));
    })
    .join("");
}
