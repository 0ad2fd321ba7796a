export function Operate() {
  return <main />;
}
