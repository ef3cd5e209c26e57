export { seededChance } from "../../src/base/chance.ts";
