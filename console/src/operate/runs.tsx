export function Runs() {
  return null;
}
