/** "de" before a name: "d’Orange", "de Moov". An H is left alone, since nobody can tell whether it is mute. Pure. */
export function ofName(name: string): string {
  const first = name.normalize("NFD").charAt(0).toLowerCase();
  return "aeiou".includes(first) && first !== "" ? `d’${name}` : `de ${name}`;
}
