/** What every call of a dead process's database throws: it can do nothing more. */
export class Killed extends Error {
  override name = "Killed";

  constructor() {
    super("the process was killed");
  }
}
