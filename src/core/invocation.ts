/**
 * How the server was started, for whoever types commands for it: a command finds the server by its configuration, so that it
 * names the file, wherever the shell is. Pure.
 */
export type Invocation = {
  /** The name of the executable: one that shells find, or its whole path. */
  readonly program: string;
  /** The whole path of the configuration file. */
  readonly config: string;
  /** Whether systemd runs it: then its data are another user's. */
  readonly isService: boolean;
};

/** A command as it works where it is typed, such as `config reload`; where no file is known, as in the documentation. */
export function renderCommand(started: Invocation | null, words: string): string {
  if (started === null) return `bendre ${words}`;
  const { program, config, isService } = started;
  const command = `${program} ${words} --config ${quoteShellWord(config)}`;
  return isService ? `sudo ${command}` : command;
}

/** A word as POSIX shells read it back. */
export function quoteShellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Where every shell searches. */
const EVERY_PATH = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Where a compiled executable keeps its modules. */
const EMBEDDED = "/$bunfs/";

/** Whether the running code is compiled into the executable, by its path; otherwise a runtime runs the source. */
export function isEmbedded(main: string): boolean {
  return main.startsWith(EMBEDDED);
}

/** The name of the executable at `path`, which runs `main`. */
export function programName(path: string, main: string): string {
  if (!isEmbedded(main)) return `${quoteShellWord(path)} ${quoteShellWord(main)}`;
  const [, directory = "", name = ""] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
  return EVERY_PATH.includes(directory) ? name : quoteShellWord(path);
}
