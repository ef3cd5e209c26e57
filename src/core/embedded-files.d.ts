/** Files embedded in the executable as text: pages, styles, scripts, SQL, rules. */
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.svg" {
  const text: string;
  export default text;
}
declare module "*.txt" {
  const text: string;
  export default text;
}
declare module "*.sql" {
  const text: string;
  export default text;
}
declare module "*.yml" {
  const text: string;
  export default text;
}
declare module "*/guide.css" {
  const text: string;
  export default text;
}
declare module "*/page.css" {
  const text: string;
  export default text;
}
