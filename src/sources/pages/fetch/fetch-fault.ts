import { isNotPublic } from '../../../platform/egress/outbound-agent';
import { type PageFault, PageUnreadable } from '../page.types';

const FAULTS: Readonly<Record<string, PageFault>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
};

/** What a failed request is for the one who wanted the page. */
export function faultOf(cause: unknown): PageUnreadable {
  if (cause instanceof PageUnreadable) return cause;
  if (isNotPublic(cause)) return new PageUnreadable('address_refused');
  const code = String((cause as NodeJS.ErrnoException).code);
  return new PageUnreadable(codeFault(code), { cause });
}

function codeFault(code: string): PageFault {
  if (Object.hasOwn(FAULTS, code)) return FAULTS[code];
  // A damaged body: zlib names its errors by format.
  if (/^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_ZSTD|ZSTD_)/.test(code))
    return 'unreadable';
  if (code.startsWith('HPE_')) return 'http_error';
  return 'unreachable';
}
