package platform

import (
	"context"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

type credentialRow struct {
	ID, HotelID, Prefix                                       string
	TokenSHA256                                               string `gorm:"column:token_sha256"`
	SubjectKind, SubjectID, Name, Scopes, Audience, CreatedBy string
	CreatedAt, ExpiresAt, RevokedAt                           database.Time
	RotatedTo                                                 *string
	SubjectName                                               string `gorm:"->;-:migration"`
}

func (credentialRow) TableName() string { return "platform_credential" }

func (r credentialRow) credential() Credential {
	c := Credential{ID: r.ID, HotelID: r.HotelID, Prefix: r.Prefix, Name: r.Name, SubjectKind: access.Kind(r.SubjectKind), SubjectID: r.SubjectID,
		SubjectName: r.SubjectName, Scopes: splitScopes(r.Scopes), Audience: r.Audience, CreatedBy: r.CreatedBy,
		CreatedAt: r.CreatedAt.Time, ExpiresAt: r.ExpiresAt.Time, RevokedAt: r.RevokedAt.Time}
	if r.RotatedTo != nil {
		c.RotatedTo = *r.RotatedTo
	}
	return c
}

func (st *store) createCredential(ctx context.Context, c Credential, sha string) error {
	return wrap("create credential", st.db.Conn(ctx).Create(&credentialRow{ID: c.ID, HotelID: c.HotelID, TokenSHA256: sha, Prefix: c.Prefix,
		SubjectKind: string(c.SubjectKind), SubjectID: c.SubjectID, Name: c.Name, Scopes: strings.Join(c.Scopes, " "), Audience: c.Audience,
		CreatedBy: c.CreatedBy, CreatedAt: database.At(c.CreatedAt), ExpiresAt: database.At(c.ExpiresAt)}).Error)
}

func (st *store) credential(ctx context.Context, hotelID, id string) (Credential, bool, error) {
	if !isID(id) {
		return Credential{}, false, nil
	}
	var r credentialRow
	err := st.db.Conn(ctx).Raw("SELECT * FROM platform_credential WHERE id = ? AND hotel_id = ?", id, hotelID).Take(&r).Error
	if database.IsNotFound(err) {
		return Credential{}, false, nil
	}
	return r.credential(), err == nil, wrap("read credential", err)
}

// supersede names the successor and ends the old token; 0 rows when it no longer held.
func (st *store) supersede(ctx context.Context, id, next string, ends, now time.Time) (int64, error) {
	res := st.db.Conn(ctx).Exec("UPDATE platform_credential SET rotated_to = ?, expires_at = ? WHERE id = ? AND rotated_to IS NULL AND revoked_at IS NULL AND expires_at > ?",
		next, database.At(ends), id, database.At(now))
	return res.RowsAffected, wrap("supersede credential", res.Error)
}

func (st *store) revoke(ctx context.Context, id string, now database.Time) error {
	return wrap("revoke credential", st.db.Conn(ctx).Exec("UPDATE platform_credential SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", now, id).Error)
}

func (st *store) listCredentials(ctx context.Context, hotelID string) ([]Credential, error) {
	var rows []credentialRow
	err := st.db.Conn(ctx).Raw(`SELECT c.*, COALESCE(s.name, a.name, '') AS subject_name FROM platform_credential c
 LEFT JOIN platform_staff s ON s.id = c.subject_id LEFT JOIN platform_service_account a ON a.id = c.subject_id
 WHERE c.hotel_id = ? ORDER BY c.id DESC`, hotelID).Scan(&rows).Error
	out := make([]Credential, len(rows))
	for i, r := range rows {
		out[i] = r.credential()
	}
	return out, wrap("list credentials", err)
}
