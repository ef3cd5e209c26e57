export { seededChance } from "../../src/core/chance.ts";
