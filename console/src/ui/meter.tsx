/** How much of a limit is used; without a limit the number alone. */
export function Meter({
  label,
  used,
  limit,
  format,
}: {
  label: string;
  used: number;
  limit: number | null | undefined;
  format: (value: number) => string;
}) {
  return (
    <div class="meter num">
      <span>{label}</span>
      <span>
        {format(used)}
        {limit != null && ` / ${format(limit)}`}
      </span>
      {limit != null && limit > 0 && (
        <progress
          aria-label={label}
          max={limit}
          value={Math.min(used, limit)}
        />
      )}
    </div>
  );
}
