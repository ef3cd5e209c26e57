import { Database } from "bun:sqlite";

/** How a database file is opened: the options of `bun:sqlite` that this house uses. */
export type DatabaseOptions = {
  readonly create?: boolean;
  readonly readwrite?: boolean;
  readonly readonly?: boolean;
  readonly strict?: boolean;
};

/** Opens a connection to a database file: the edge between the appliance and its disk. Simulations bring their own. */
export type OpenDatabase = (path: string, options: DatabaseOptions) => Database;

/** The real disk. */
export const openOnDisk: OpenDatabase = (path, options) => new Database(path, options);
