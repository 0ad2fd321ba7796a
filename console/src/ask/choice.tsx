/** A drop-down list of known values. */
export function Choice({
  label,
  value,
  values,
  names,
  onChange,
}: {
  label: string;
  value: string;
  values: readonly string[];
  names: Record<string, string>;
  onChange: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {names[one] ?? one}
          </option>
        ))}
      </select>
    </label>
  );
}
