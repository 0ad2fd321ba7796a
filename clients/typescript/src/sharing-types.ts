/** Links that open the report of a run, for anyone who has one. */

export interface Share {
  share_id: string;
  created_at: string;
  expires_at: string;
}

export interface CreatedShare extends Share {
  /** Opens the report. The service returns it only once. */
  share_token: string;
}

export interface ShareList {
  /** Those that have not expired, oldest first. */
  data: Share[];
}
