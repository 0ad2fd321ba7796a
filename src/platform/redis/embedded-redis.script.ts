/** Exit codes of the guard: no server is installed, and another server uses the data. */
export const NOT_FOUND = 127;
export const IN_USE = 75;

/**
 * Runs the server and waits for it; a second loop waits for the end of stdin, which comes when the service exits in any
 * way, `kill -9` included, and then stops the server. The server itself holds the lock on its data, so it is free only
 * when nothing writes there; without flock, only the socket in the file is probed.
 */
export const GUARD = `
PATH="$PATH:/opt/homebrew/bin:/usr/local/bin:$1"
shift
server=$(command -v redis-server || command -v valkey-server) || exit ${NOT_FOUND}
lock=$1 socket=$2
shift 2
exec 9>>"$lock"
if command -v flock >/dev/null; then
  flock -n 9
  [ $? -eq 1 ] && exit ${IN_USE}
fi
printf '%s\n' "$socket" >"$lock"
exec 3<&0
"$server" "$@" </dev/null 3<&- &
server=$!
{ while read -r _; do :; done; kill -TERM "$server"; } <&3 >/dev/null 2>&1 9>&- &
guard=$!
exec 3<&- 9>&-
wait "$server"
code=$?
kill "$guard" 2>/dev/null
exit "$code"
`;
