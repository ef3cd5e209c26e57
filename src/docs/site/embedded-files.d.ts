/** Files embedded in the executable: pages, styles and scripts as text. */
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
declare module "*/guide.css" {
  const text: string;
  export default text;
}
